# SPDX-License-Identifier: MIT
# urllib: parse is all there is.

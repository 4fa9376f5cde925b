# SPDX-License-Identifier: MIT
# packaging: version is all there is.

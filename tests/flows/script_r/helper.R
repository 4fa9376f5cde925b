said <- "from the helper"

(raise (ValueError "in Hy"))

NAME = "beside the rules"

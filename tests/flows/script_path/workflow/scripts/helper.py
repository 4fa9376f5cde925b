NAME = "beside the script"

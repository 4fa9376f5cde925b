# args: -n -c1 --config samples=3
x = config["samlpes"]
# expect error: KeyError: 'samlpes'
# expect error: hint: did you mean 'samples'?
# expect error: hint: config comes from --config; no config file is read: `configfile:` or --configfile names one

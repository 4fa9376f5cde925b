# What the machine and the interpreter are like, by name.
import os
import sys

print(sys.float_info.max, sys.float_info.epsilon, sys.float_info.dig, sys.float_info[3] == sys.float_info.min)
print(sys.float_info)
print(sys.flags.optimize, sys.flags.dev_mode, len(sys.flags), str(sys.flags)[:25])
print(sys.version_info[:2] == (sys.version_info.major, sys.version_info.minor), sys.version_info >= (3, 8))
memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
print(memory > 1 << 26, os.sysconf("SC_NPROCESSORS_ONLN") == os.cpu_count())
print(os.sysconf(os.sysconf_names["SC_CLK_TCK"]) == os.sysconf("SC_CLK_TCK"))
try:
    os.sysconf("SC_NO_SUCH")
except ValueError as e:
    print(e)
print(os.geteuid() == os.getuid(), os.getegid() == os.getgid())
# expect: 1.7976931348623157e+308 2.220446049250313e-16 15 True
# expect: sys.float_info(max=1.7976931348623157e+308, max_exp=1024, max_10_exp=308, min=2.2250738585072014e-308, min_exp=-1021, min_10_exp=-307, dig=15, mant_dig=53, epsilon=2.220446049250313e-16, radix=2, rounds=1)
# expect: 0 False 18 sys.flags(debug=0, inspec
# expect: True True
# expect: True True
# expect: True
# expect: unrecognized configuration name
# expect: True True

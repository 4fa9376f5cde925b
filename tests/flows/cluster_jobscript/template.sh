#!/bin/bash
# properties = {properties}
export FROM_JOBSCRIPT="${{NAME_OF_NOBODY:-braces}}"
{exec_job}

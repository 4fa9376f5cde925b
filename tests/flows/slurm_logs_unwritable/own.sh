#!/bin/bash
#SBATCH --output=file/logs/%j.out
touch own.txt

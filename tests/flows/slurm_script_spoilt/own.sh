#!/bin/bash
#SBATCH --output=own-%j.out
touch begun
sleep 100

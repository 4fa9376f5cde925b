#!/usr/bin/env bash
echo "tool says $(tool | head -1)" > deployed.txt

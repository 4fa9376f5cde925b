# What Snakefiles ask Snakemake's settings for, and the modules of it that they import from.
import os

from snakemake.settings.types import DeploymentMethod as Method
from snakemake.workflow import workflow as same
from snakemake_interface_executor_plugins.settings import ExecMode

print(same is workflow, workflow.exec_mode == ExecMode.DEFAULT, ExecMode.REMOTE)  # expect: True True remote
print(StorageSettings.default_storage_prefix, repr(workflow.storage_settings.default_storage_prefix))  # expect: None ''
print(workflow.deployment_settings.deployment_method)  # expect: {<DeploymentMethod.CONDA: 0>}
print(Method.CONDA in workflow.deployment_settings.deployment_method, Method.ENV_MODULES)  # expect: True env-modules
print("x" in workflow.resource_settings.resources, "y" in workflow.resource_settings.resources)  # expect: True False
print(workflow.resource_settings.cores, workflow.resource_settings.max_threads)  # expect: 3 2
start = os.getcwd()
print(workflow.workdir_init == start)  # expect: True
print(workflow.overwrite_configfiles, workflow.configfiles)  # expect: [] []


rule all:
    input: []
# args: -n --sdm conda --cores 3 --max-threads 2 --resources x=1

# SPDX-License-Identifier: MIT
# What Snakefiles ask Snakemake's settings for. This file is run by the engine's own evaluator when one of them is used
# for the first time.
from enum import Enum
from pathlib import Path


class SettingsEnum(Enum):
    def __str__(self):
        return self.name.lower().replace("_", "-")


class ExecMode(SettingsEnum):
    DEFAULT = 0
    SUBPROCESS = 1
    REMOTE = 2


class DeploymentMethod(SettingsEnum):
    CONDA = 0
    APPTAINER = 1
    ENV_MODULES = 2


class ConfigSettings:
    config = {}
    configfiles = []
    config_args = None
    replace_workflow_config = False


class StorageSettings:
    default_storage_provider = None
    default_storage_prefix = None
    keep_storage_local = False
    retrieve_storage = True


class DeploymentSettings:
    deployment_method = frozenset()
    conda_prefix = None
    apptainer_prefix = None
    apptainer_args = ""


class ResourceSettings:
    cores = None
    max_threads = None
    resources = {}


def config_settings(config, words, overwrite, configfiles, replace):
    settings = ConfigSettings()
    settings.config = config
    settings.overwrite_config = overwrite
    settings.configfiles = configfiles
    settings.config_args = words
    settings.replace_workflow_config = replace
    return settings


def storage_settings(provider, prefix, keep, not_retrieve):
    settings = StorageSettings()
    settings.default_storage_provider = provider
    settings.default_storage_prefix = prefix or ""
    settings.keep_storage_local = keep
    settings.retrieve_storage = not not_retrieve
    return settings


def deployment_settings(conda, container, modules, conda_prefix, apptainer_prefix, apptainer_args):
    settings = DeploymentSettings()
    wanted = zip((conda, container, modules), DeploymentMethod)
    settings.deployment_method = {method for given, method in wanted if given}
    settings.conda_prefix = conda_prefix and Path(conda_prefix)
    settings.apptainer_prefix = apptainer_prefix and Path(apptainer_prefix)
    settings.apptainer_args = apptainer_args or ""
    return settings


def resource_settings(cores, max_threads, limits):
    settings = ResourceSettings()
    settings.cores = cores
    settings.max_threads = max_threads
    settings.resources = limits
    return settings


def paths(given):
    return [Path(path).absolute() for path in given]


def config_files(given, named):
    return paths(given) + named

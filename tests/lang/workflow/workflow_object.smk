print(os.path.basename(workflow.snakefile), os.path.isdir(workflow.basedir))  # expect: workflow_object.smk True
print(workflow.storage_provider_settings)  # expect: {}

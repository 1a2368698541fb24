from deploy.environment import read_environment, region_of


def start(path):
    environment = read_environment(path)
    region = region_of(environment)
    return f"started in {region}"

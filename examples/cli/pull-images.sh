#!/bin/sh
# Lets a cluster pull a private image: the six steps of the specification's "Cross-product use", by their numbers.
#
#   examples/cli/pull-images.sh <registry id> <image> [<VPC id> <subnet id>] | kubectl apply -f -
#
# The image is named as in team/web:1.0. With the id of the cluster's VPC, it is pulled inside the VPC; if the registry is not connected
# to the VPC yet, this connects it to the subnet. Without a VPC, it is pulled over the internet.
#
# Platform and region are CONTAINER_PLATFORM_ENDPOINT and CONTAINER_PLATFORM_REGION of the environment.
# Prints the manifests of a secret and of a deployment. The secret holds a password: keep it out of files and logs.
set -eu

registry=${1:?the id of a registry is missing}
image=${2:?the name of an image is missing}
vpc=${3:-}

# 1. The registry is Running …
cpcli wait registry "$registry"

domain=$(cpcli registry DescribeInstances --cli-unfold-argument --Registryids "$registry" \
  --filter 'Registries[0].PublicDomain' --output text)

if [ -n "$vpc" ]; then
  subnet=${4:?the id of a subnet of $vpc is missing}

  # 1. … and connected to the VPC: at least one of its internal endpoints is, here that of the cluster's VPC.
  connection="AccessVpcSet[?VpcId=='$vpc'] | [0]"
  if [ "$(cpcli registry DescribeInternalEndpoints --RegistryId "$registry" --filter "$connection.VpcId" --output text)" = None ]; then
    cpcli registry ManageInternalEndpoint --Operation Create \
      --RegistryId "$registry" --VpcId "$vpc" --SubnetId "$subnet" > /dev/null
  fi
  address=$(cpcli registry DescribeInternalEndpoints --RegistryId "$registry" \
    --waiter "{'expr': \"$connection.Status\", 'to': 'Running', 'timeout': 600}" \
    --filter "$connection.AccessIp" --output text)

  # 5. The server of a pull over the VPC is the dedicated access domain, which the VPC learns to resolve to that endpoint.
  server=${domain%%.*}-vpc.${domain#*.}
  cpcli registry CreateInternalEndpointDns --InstanceId "$registry" --VpcId "$vpc" --EniLBIp "$address" > /dev/null
  cpcli registry DescribeInternalEndpointDnsStatus --cli-unfold-argument \
    --VpcSet.0.InstanceId "$registry" --VpcSet.0.VpcId "$vpc" --VpcSet.0.EniLBIp "$address" \
    --waiter "{'expr': 'VpcSet[0].Status', 'to': 'ENABLE'}" > /dev/null
else
  # 5. The server of a public pull is the public domain. Opening its endpoint is left to whoever manages the whitelist.
  server=$domain
  status=$(cpcli registry DescribeExternalEndpointStatus --RegistryId "$registry" --filter Status --output text)
  if [ "$status" != Opened ]; then
    echo "the public endpoint of $registry is $status: open it and its whitelist, or name the cluster's VPC and a subnet" >&2
    exit 1
  fi
  # 6. A public pull costs a fee for the traffic; a pull inside the VPC does not.
  echo "each pull from $server costs a fee for the traffic" >&2
fi

# 2. and 3. A token that is valid for an hour, as a secret with which Kubernetes logs in to the server. The filter makes the secret from
# the answer, so the password is never on a command line.
cpcli registry CreateInstanceToken --RegistryId "$registry" --TokenType temp --output json --filter "{
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {name: 'registry-login'},
  type: 'kubernetes.io/dockerconfigjson',
  stringData: {\".dockerconfigjson\": to_string({auths: {\"$server\": {username: Username, password: Token}}})}
}"

# 4. The deployment references the secret.
cat << MANIFEST
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      imagePullSecrets:
        - name: registry-login
      containers:
        - name: web
          image: $server/$image
MANIFEST

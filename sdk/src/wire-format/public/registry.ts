import {
  createInstanceToken,
  createMultipleSecurityPolicy,
  createNamespace,
  createServiceAccount,
  createInstance,
  deleteServiceAccount,
  describeInstances,
  describeInstanceStatus,
  describeInternalEndpoints,
  describeNamespaces,
  describeReplicationPolicies,
  describeRepositories,
  describeSecurityPolicies,
  describeServiceAccounts,
  modifyInstance,
  modifyNamespace,
  modifyServiceAccount,
  modifyServiceAccountPassword,
} from "../../catalogue/registry.ts";
import { type Difference, differs } from "../rule.ts";

const accountName = { prefix: ["reg$", "tcr$"] } as const;
const permissions = { fields: { resource: { suffix: ["/", ""] }, actions: { prefix: ["reg:", "tcr:"] } } } as const;
const tagSpecification = { fields: { resourceType: { usual: "instance" } } } as const;

const time = { time: "UTC" } as const;

const named = { vital: "a rule could not be told from another without it" } as const;

export const registryDifferences: readonly Difference[] = [
  differs(createInstance, { request: { tagSpecification } }),
  differs(modifyInstance, { codes: { ResourceNotFound: "InternalError.ErrNotExist" } }),
  differs(createInstanceToken, { codes: { ResourceNotFound: "ResourceNotFound.TcrResourceNotFound" } }),
  // The published example is without these two.
  differs(describeInstances, {
    answer: { registries: { fields: { enableCosMaz: { absent: false }, enableCosVersioning: { absent: false } } } },
  }),
  differs(describeInstanceStatus, { answer: { registryStatusSet: { absent: [] } } }),

  differs(createNamespace, { request: { tagSpecification } }),
  differs(modifyNamespace, { request: { tagSpecification } }),
  differs(describeNamespaces, { answer: { namespaceList: { fields: { namespaceName: { same: "name" }, isPublic: { same: "public" } } } } }),

  differs(createServiceAccount, { request: { name: accountName, permissions }, answer: { name: accountName } }),
  differs(modifyServiceAccount, { request: { name: accountName, permissions } }),
  differs(modifyServiceAccountPassword, { request: { name: accountName } }),
  differs(deleteServiceAccount, { request: { name: accountName } }),
  differs(describeServiceAccounts, {
    request: { filters: { fields: { values: accountName } } },
    answer: { serviceAccounts: { fields: { name: accountName, permissions } } },
  }),

  differs(describeRepositories, { answer: { repositoryList: { fields: { creationTime: time, updateTime: time } } } }),

  differs(describeInternalEndpoints, {
    answer: {
      internalEndpoint: { there: false, gathered: { list: "accessVpcSet", field: "accessIp" }, absent: [] },
      accessVpcSet: { absent: [] },
    },
  }),
  differs(createMultipleSecurityPolicy, { request: { securityGroupPolicySet: { ignored: ["PolicyIndex", "PolicyVersion"], fields: {} } } }),
  differs(describeSecurityPolicies, { answer: { securityPolicySet: { absent: [] } } }),
  differs(describeReplicationPolicies, {
    answer: {
      replicationPolicyInfoList: {
        absent: [],
        fields: {
          id: named,
          name: named,
          srcResource: named,
          destResource: named,
          description: { absent: "" },
          filters: { absent: [], fields: { type: { absent: "" }, value: { absent: "" } } },
          override: { absent: false },
          enabled: { absent: false },
          creationTime: { absent: "" },
          updateTime: { absent: "" },
        },
      },
      totalCount: { absent: 0 },
    },
  }),
];

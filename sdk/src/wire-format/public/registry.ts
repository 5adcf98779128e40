import * as registry from "../../catalogue/registry.ts";
import { type Difference, differs } from "../rule.ts";

const accountName = { prefix: ["reg$", "tcr$"] } as const;
const permissions = { fields: { resource: { suffix: ["/", ""] }, actions: { prefix: ["reg:", "tcr:"] } } } as const;
const tagSpecification = { fields: { resourceType: { usual: "instance" } } } as const;

const time = { time: "UTC" } as const;

const named = { vital: "a rule could not be told from another without it" } as const;

export const registryDifferences: readonly Difference[] = [
  differs(registry.createInstance, { request: { tagSpecification } }),
  differs(registry.modifyInstance, { codes: { ResourceNotFound: "InternalError.ErrNotExist" } }),
  differs(registry.createInstanceToken, { codes: { ResourceNotFound: "ResourceNotFound.TcrResourceNotFound" } }),
  // The published example is without these two.
  differs(registry.describeInstances, {
    answer: { registries: { fields: { enableCosMaz: { absent: false }, enableCosVersioning: { absent: false } } } },
  }),
  differs(registry.describeInstanceStatus, { answer: { registryStatusSet: { absent: [] } } }),

  differs(registry.createNamespace, { request: { tagSpecification } }),
  differs(registry.modifyNamespace, { request: { tagSpecification } }),
  differs(registry.describeNamespaces, {
    answer: { namespaceList: { fields: { namespaceName: { same: "name" }, isPublic: { same: "public" } } } },
  }),

  differs(registry.createServiceAccount, { request: { name: accountName, permissions }, answer: { name: accountName } }),
  differs(registry.modifyServiceAccount, { request: { name: accountName, permissions } }),
  differs(registry.modifyServiceAccountPassword, { request: { name: accountName } }),
  differs(registry.deleteServiceAccount, { request: { name: accountName } }),
  differs(registry.describeServiceAccounts, {
    request: { filters: { fields: { values: accountName } } },
    answer: { serviceAccounts: { fields: { name: accountName, permissions } } },
  }),

  differs(registry.describeRepositories, { answer: { repositoryList: { fields: { creationTime: time, updateTime: time } } } }),

  differs(registry.describeInternalEndpoints, {
    answer: {
      internalEndpoint: { there: false, gathered: { list: "accessVpcSet", field: "accessIp" }, absent: [] },
      accessVpcSet: { absent: [] },
    },
  }),
  differs(registry.createMultipleSecurityPolicy, {
    request: { securityGroupPolicySet: { ignored: ["PolicyIndex", "PolicyVersion"], fields: {} } },
  }),
  differs(registry.describeSecurityPolicies, { answer: { securityPolicySet: { absent: [] } } }),
  differs(registry.describeReplicationPolicies, {
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

import type { z } from "zod";
import {
  createSecurityGroup,
  deleteSecurityGroup,
  describeSecurityGroupAssociationStatistics,
  describeSecurityGroups,
  modifySecurityGroupAttribute,
} from "../../catalogue/vpc.ts";
import { longest } from "../../rules/texts.ts";
import { type Call, on } from "../behaviour.ts";
import { requireRow } from "../requests/require-row.ts";
import { byId, exactly, listed, type Listing, partly, tagFilters } from "../requests/listing.ts";
import { firstFew, refuseLong, refuseName, refuseTags } from "../requests/names-and-tags.ts";
import { type Attachment, attachmentsBy, ownersOf } from "./attachments.ts";
import { securityGroups } from "./tables.ts";

export type SecurityGroupRow = z.output<typeof securityGroups.row>;

const mostIds = 100;

const listing: Listing<SecurityGroupRow> = {
  table: securityGroups,
  noun: "security group",
  ids: "SecurityGroupIds",
  filters: {
    "security-group-id": byId(),
    "security-group-name": partly(({ name }) => [name]),
    "project-id": exactly(({ projectId }) => [projectId]),
    ...tagFilters<SecurityGroupRow>(({ tags }) => tags),
  },
};

export const securityGroupBehaviours = [
  on(createSecurityGroup, (call, { groupName: name, groupDescription: description, projectId = "0", tags = [] }) => {
    refuseName(call, "GroupName", name);
    refuseLong(call, "GroupDescription", description, longest.description);
    refuseTags(call, tags);
    const made = call.rows(securityGroups).insert({
      id: call.world.newId("sg", securityGroups),
      name,
      description,
      projectId,
      createdTime: call.timestamp,
      updateTime: call.timestamp,
      tags,
      version: 0,
      egress: [],
      ingress: [],
    });
    return { securityGroup: recordOf(made) };
  }),

  on(describeSecurityGroups, (call, { securityGroupIds, orderField, orderDirection = "ASC", ...asked }) => {
    const moment = orderField === "UpdateTime" ? "updateTime" : "createdTime";
    const sign = orderDirection === "ASC" ? 1 : -1;
    const order = (one: SecurityGroupRow, other: SecurityGroupRow) => sign * one[moment].localeCompare(other[moment]);
    const { totalCount, rows } = listed(call, listing, { ids: securityGroupIds, ...asked, order: orderField && order });
    return { totalCount, securityGroupSet: rows.map(recordOf) };
  }),

  on(modifySecurityGroupAttribute, (call, { securityGroupId, groupName, groupDescription }) => {
    const was = requireRow(call, securityGroups, "security group", securityGroupId);
    if (groupName !== undefined) refuseName(call, "GroupName", groupName);
    if (groupDescription !== undefined) refuseLong(call, "GroupDescription", groupDescription, longest.description);
    call.rows(securityGroups).update(securityGroupId, {
      name: groupName ?? was.name,
      description: groupDescription ?? was.description,
      updateTime: call.timestamp,
    });
    return {};
  }),

  on(deleteSecurityGroup, (call, { securityGroupId }) => {
    requireRow(call, securityGroups, "security group", securityGroupId);
    const users = usersOf(call, securityGroupId);
    const naming = groupsNaming(call, securityGroupId);
    const left = [
      ...(users.length > 0 ? [`it is used by ${ownersOf(users)}`] : []),
      ...(naming.length > 0 ? [`rules of ${firstFew(naming)} name it`] : []),
    ];
    if (left.length > 0)
      throw call.error("ResourceInUse", `security group ${securityGroupId} cannot be deleted while ${left.join(" and ")}`);
    call.rows(securityGroups).remove(securityGroupId);
    return {};
  }),

  on(describeSecurityGroupAssociationStatistics, (call, { securityGroupIds: ids }) => {
    if (ids.length === 0) throw call.error("InvalidParameterValue.Empty", "SecurityGroupIds is empty; it takes 1 to 100 ids");
    if (ids.length > mostIds)
      throw call.error("InvalidParameterValue.LimitExceeded", `SecurityGroupIds has ${ids.length} ids; a call takes ${mostIds} at most`);
    return {
      securityGroupAssociationStatisticsSet: [...new Set(ids)].map((id) => {
        requireRow(call, securityGroups, "security group", id);
        return statisticsOf(id, usersOf(call, id), groupsNaming(call, id).length);
      }),
    };
  }),
];

function usersOf(call: Call, id: string): Attachment[] {
  return attachmentsBy(call, ({ securityGroupIds }) => securityGroupIds.includes(id));
}

/** Ids of the other groups with a rule that names this one. */
function groupsNaming(call: Call, id: string): string[] {
  return call
    .rows(securityGroups)
    .list()
    .filter((group) => group.id !== id && [...group.egress, ...group.ingress].some(({ securityGroupId }) => securityGroupId === id))
    .map((group) => group.id);
}

function statisticsOf(securityGroupId: string, users: readonly Attachment[], sg: number) {
  const owners = [...new Set(users.map(({ owner }) => owner))];
  const cvm = owners.filter((owner) => owner.startsWith("ins-")).length;
  const clb = owners.filter((owner) => owner.startsWith("lb-")).length;
  const eni = owners.length - cvm - clb;
  const kinds = [
    { instanceType: "CVM", instanceCount: cvm },
    { instanceType: "ENI", instanceCount: eni },
    { instanceType: "CLB", instanceCount: clb },
  ];
  return {
    securityGroupId,
    cvm,
    cdb: 0,
    eni,
    sg,
    clb,
    instanceStatistics: kinds.filter(({ instanceCount }) => instanceCount > 0),
    totalCount: owners.length,
  };
}

/** A record has the field names of the specification and those of the public API. */
function recordOf({ id, name, description, projectId, createdTime, updateTime, tags }: SecurityGroupRow) {
  return {
    securityGroupId: id,
    groupName: name,
    groupDescription: description,
    securityGroupName: name,
    securityGroupDesc: description,
    projectId,
    isDefault: false,
    createdTime,
    updateTime,
    tagSet: tags,
  };
}

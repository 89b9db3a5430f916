import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';
import { copyQuery, groupPage, PolicyGroup } from './groups.ts';

const tag = 'Templates';

/** The library of groups to start from. */
export const templateOperations = {
  listTemplates: defineOperation({
    method: 'GET',
    path: '/api/templates',
    tag,
    summary: 'List the templates',
    description:
      'The built-in `Default Policies`, the other groups that ship with the product, and the groups that users of ' +
      "the caller's tenant share. `total` counts all pages.",
    access: 'jwt',
    keyScope: 'policies',
    query: groupPage,
    response: z.object({ templates: z.array(PolicyGroup), total: z.int() }),
  }),
  copyTemplate: defineOperation({
    method: 'POST',
    path: '/api/templates/{template_id}/copy',
    tag,
    summary: 'Copy a template',
    description:
      'Makes a group of the caller, not shared, with new `_id`s. 404 for a group that is no template.',
    access: 'jwt',
    keyScope: 'policies',
    params: z.object({ template_id: z.string().meta({ description: "The template's `group_uuid`." }) }),
    query: copyQuery,
    status: 201,
    response: PolicyGroup,
    errors: [404],
  }),
} as const;

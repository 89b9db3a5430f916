import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, userName, visibilityField } from '#identity/contract/sharing.ts';

const tag = 'Own data sets';
const id = z.object({ dataset_id: z.string().min(1).max(100) });

const name = storedText({ min: 1, max: 200 }).meta({
  description: 'Unique within the tenant, and none of the names of the product’s data sets.',
});
const licence = storedText({ min: 1, max: 200 }).meta({
  description: 'Of the material, such as `CC BY 4.0`; `own` for what you wrote yourself.',
});
const format = z.enum(['jsonl', 'csv', 'promptfoo', 'garak']).meta({
  description:
    'Lines of JSON with `prompt`, or `turns` or `messages`, and optionally `system`, `subcategory`, `severity`, `topic`, ' +
    '`language`, `intent` and `expect`; CSV with those columns; tests of promptfoo as YAML; text files of garak, a ' +
    'prompt on each line. Rows that say nothing on what is expected are harmful requests to refuse.',
});
const content = z.string().min(1).max(20_000_000);

const OwnDataSet = z
  .object({
    dataset_id: z.string(),
    name: z.string(),
    licence: z.string(),
    cases: z.int(),
    visibility: visibilityField(),
    owner_id: z.string(),
    owner_name: userName(),
    created_at: isoTime(),
    updated_at: isoTime(),
  })
  .meta({ id: 'OwnDataSet' });

const Note = z
  .object({ row: z.int().meta({ description: 'Counted from 1.' }), note: z.string() })
  .meta({ id: 'ImportNote' });
const Read = OwnDataSet.extend({
  notes: z.array(Note).meta({ description: 'Rows that were left out or not understood; the first 200.' }),
}).meta({ id: 'ReadDataSet' });

/** Data sets that a tenant brings along; scans take them by their names. */
export const ownDataSetOperations = {
  createDataSet: defineOperation({
    method: 'POST',
    path: '/v1/datasets',
    tag,
    summary: 'Stores a data set of your own, read from a public format',
    description: 'Scans name it in `datasets` as those of the product.',
    access: 'jwt_or_key',
    body: z.object({ name, licence, format, content, visibility: visibilityField().default('private') }),
    badRequestsAre400: true,
    status: 201,
    response: Read,
  }),
  listOwnDataSets: defineOperation({
    method: 'GET',
    path: '/v1/datasets',
    tag,
    summary: 'Own data sets that the caller may read, by name',
    access: 'jwt_or_key',
    query: z.object({ owner: ownerFilter('all') }),
    response: z.object({ datasets: z.array(OwnDataSet) }),
  }),
  getDataSet: defineOperation({
    method: 'GET',
    path: '/v1/datasets/{dataset_id}',
    tag,
    summary: 'An own data set with its cases, page by page',
    access: 'jwt_or_key',
    params: id,
    query: z.object({
      limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
      offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
    }),
    response: OwnDataSet.extend({ items: z.array(z.record(z.string(), z.unknown())) }),
    errors: [404],
  }),
  changeDataSet: defineOperation({
    method: 'PATCH',
    path: '/v1/datasets/{dataset_id}',
    tag,
    summary: 'Changes name, licence, visibility or cases',
    description:
      '`remove` takes cases out by their ids; `content` is added to what remains, or is all there is with `replace`. Scans ' +
      'that have started keep the cases that they started with.',
    access: 'jwt_or_key',
    params: id,
    body: z
      .object({
        name: name.optional(),
        licence: licence.optional(),
        visibility: visibilityField().optional(),
        remove: z.array(z.string().max(100)).max(20_000).optional(),
        content: content.optional(),
        format: format.default('jsonl'),
        replace: z.boolean().default(false),
      })
      .refine(({ replace, content: given }) => !replace || given !== undefined, {
        error: 'is required where `replace` is set',
        path: ['content'],
      }),
    badRequestsAre400: true,
    response: Read,
    errors: [403, 404],
  }),
  deleteDataSet: defineOperation({
    method: 'DELETE',
    path: '/v1/datasets/{dataset_id}',
    tag,
    summary: 'Deletes an own data set; scans of it stay',
    access: 'jwt_or_key',
    params: id,
    response: z.object({ message: z.string() }),
    errors: [403, 404],
  }),
};

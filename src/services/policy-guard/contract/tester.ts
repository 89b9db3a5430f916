import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';
import { groupResult, judgedText, Message, textContext } from './evaluate.ts';
import { groupUuid } from './policies.ts';
import { Strictness, threshold } from './strictness.ts';

const Span = z
  .object({
    policy: z.string().meta({ description: 'The policy whose verdict these characters carried.' }),
    start: z.int().meta({ description: 'Offset in `text`, in UTF-16 code units.' }),
    end: z.int().meta({ description: 'Offset of the first code unit after it.' }),
    quote: z.string().meta({ description: '`text` from start to end.' }),
    read_as: z.string().meta({
      description: 'What the engine read there, once what hid it was undone; as folded, in small letters.',
    }),
    view: z.string().meta({
      description: 'What made it readable: `plain`, or what was undone, such as `leet` or `base64`.',
    }),
    reason: z.string().meta({ description: 'What the text does there, to be read after “the text”.' }),
    weight: z.number().meta({ description: 'Share in the score, in logits.' }),
  })
  .meta({ id: 'Span' });

export const testerOperations = {
  testPolicyGroup: defineOperation({
    method: 'POST',
    path: '/api/policy_groups/{group_uuid}/test',
    tag: 'Policy groups',
    summary: 'Try a text on a policy group',
    description:
      'Judges the text by the enabled policies of the group, at its own threshold and strictness, and shows which ' +
      'characters carried the verdict: up to five spans for each violated policy, the strongest first. Offsets count ' +
      'UTF-16 code units of `text`, as JavaScript, Java and C# do, and encodings were undone before. Nothing is ' +
      'cached, counted or logged. For all who can read the group: its owner, and everybody in the tenant where it is ' +
      'a template; any other group is not found (404).',
    access: 'jwt',
    params: z.object({ group_uuid: groupUuid() }),
    body: z
      .object({
        text: judgedText(),
        messages: z.array(Message).max(200).default([]),
        context: textContext(),
        threshold: threshold().optional().meta({ description: 'To try instead of the group’s.' }),
        strictness_level: Strictness.optional().meta({ description: 'To try instead of the group’s.' }),
      })
      .meta({ id: 'GroupTestRequest' }),
    response: z.object({ ...groupResult, spans: z.array(Span) }).meta({ id: 'GroupTestResult' }),
    errors: [404],
  }),
};

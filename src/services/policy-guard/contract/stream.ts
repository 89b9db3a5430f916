import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';
import { Message, textContext } from './evaluate.ts';

/** Characters (UTF-16 code units) of one stream. */
export const longestStream = 2_000_000;

const StreamLine = z
  .object({
    guard_uuid: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Required on the first line, and only there.' }),
    messages: z.array(Message).max(200).optional().meta({ description: 'On the first line: earlier turns.' }),
    context: textContext().meta({ description: 'On the first line: what the text is, as for a guard.' }),
    window: z
      .int()
      .min(200)
      .max(8000)
      .optional()
      .meta({ description: 'On the first line: characters that are judged together; 1,000 unless sent.' }),
    step: z.int().min(20).max(8000).optional().meta({
      description: 'On the first line: characters from one judgement to the next; 200 unless sent.',
    }),
    hold_back: z.int().min(0).max(8000).optional().meta({
      description:
        'On the first line: characters that stay back until as many behind them are judged; 0 unless sent.',
    }),
    text: z.string().optional().meta({ description: 'The next piece of the text, of any length.' }),
    flush: z
      .boolean()
      .optional()
      .meta({ description: 'Judge what is there now, without waiting for a whole step.' }),
  })
  .meta({ id: 'StreamLine' });

export const streamOperations = {
  topicGuardStream: defineOperation({
    method: 'POST',
    path: '/api/topic_guard/stream',
    tag: 'Content safety',
    summary: 'Judge a text while it is being written',
    description:
      'The body is lines of JSON, sent as the text comes; the answer is server-sent events, read at the same time. The ' +
      'first line names the guard, the others carry `text`; the end of the body is the end of the text. Events: `open` ' +
      '{window, step, hold_back, redacted?, mode?}; `pass` {offset, text?}: the text may be shown up to there; `flag` ' +
      '{offset, passed, results}: it may not go on, and nothing passes any more; `end` {offset, flagged, allowed_by?, ' +
      'engine, degraded}; `error` {status, detail}. Offsets count UTF-16 code units of all `text` together. Where the ' +
      'guard’s `settings.redact` is set, `open` has `redacted: true`, and `pass` carries in `text` what is to be shown ' +
      'instead of the text since the last `pass`; it stays 256 characters behind until the end, and what is longer than ' +
      'that is removed from where it is recognized. A text that may still become one of the guard’s allow-list is held back ' +
      'instead of flagged, until it is one (`allowed_by`) or can no longer become one. Each `step` characters the last `window` + `step` are judged together, and the ' +
      'last two steps by themselves, so what fits into the window is never cut by the bounds of pieces. Of a passage of at ' +
      'most `window` characters that is flagged, less than itself has passed; with `hold_back` as large as it is long, ' +
      'nothing. The embedded engine judges, and `degraded` says so where the guard has another judge; nothing is cached. ' +
      'A stream is one request in metrics and in the query log, also where it breaks off; its latency is that of all ' +
      'judgements together. A text above `settings.max_text_length` ends in `error`, and nothing beyond it passes. At ' +
      'most 2,000,000 characters.',
    access: 'jwt_or_key',
    lines: true,
    body: StreamLine,
    response: z.string(),
    contentType: 'text/event-stream; charset=utf-8',
    errors: [404, 409],
  }),
};

/** Two `bulwark serve agent-gateway` on one PostgreSQL: what servers change reaches both. */
import { test } from 'node:test';
import { checkChangedLists } from '../fixtures/changed-lists.ts';
import { startTogether, whyNot } from './together.ts';

const skip = await whyNot();

test(
  'changed tools are shown and pinned soon by both processes, and names stay where they were',
  { skip },
  async (context) => {
    await using together = await startTogether('agent-gateway', 2, {
      BULWARK_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32',
    });
    context.diagnostic((await checkChangedLists(together)).join('; '));
  },
);

import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { extractionOperations } from '../contract/extraction.ts';
import type { Extract } from './extraction.ts';
import { viewDraft } from './view.ts';

export const extractionHandlers = (extract: Extract): Handlers<typeof extractionOperations, Caller> => ({
  async extractPolicies({ caller, body }) {
    const fileName = body.file.name.split(/[\\/]/).at(-1) ?? '';
    return viewDraft(caller, await extract(fileName, await body.file.bytes()));
  },
});

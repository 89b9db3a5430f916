import { z } from 'zod';

const message = z.object({ sender: z.string(), recipient: z.string(), body: z.string() });
export type Message = z.infer<typeof message>;
/** The start state of the slack suite. */
export const slackState = z.object({
  slack: z.object({
    users: z.array(z.string()),
    channels: z.array(z.string()),
    user_channels: z.record(z.string(), z.array(z.string())),
    user_inbox: z.record(z.string(), z.array(message)),
    channel_inbox: z.record(z.string(), z.array(message)),
  }),
  web: z.object({ web_content: z.record(z.string(), z.string()), web_requests: z.array(z.string()) }),
});

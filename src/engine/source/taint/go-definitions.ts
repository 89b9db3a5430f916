/** What Go's library of the protocol says of a tool, a prompt or a resource. */
import type { Model } from './model.ts';
import { clean, type Said } from './value.ts';

/** `mcp.NewTool("name", mcp.WithDescription("…"))` of Go. */
export const definition: Model = ({ args, called }) => {
  const described = args.find(({ value }) => value.ref?.endsWith('Description()') === true)?.value;
  const said = args.map(({ value }) => value.said ?? {});
  const properties = Object.assign({}, ...said.map((each) => each['properties'] ?? {})) as Said;
  const title = said.find((each) => typeof each['title'] === 'string')?.['title'];
  return {
    taints: [],
    ref: `${called.name}()`,
    fields: new Map([
      ['name', args[0]?.value ?? clean],
      ...(described === undefined ? [] : [['description', described] as const]),
      ['inputSchema', { taints: [], said: { type: 'object', properties } }],
      ...(title === undefined ? [] : [['annotations', { taints: [], said: { title } }] as const]),
    ]),
  };
};

/** `mcp.WithDescription("…")` */
export const description: Model = ({ args, called }) => ({
  taints: [],
  ref: `${called.name}()`,
  ...(args[0]?.value.constant === undefined ? {} : { constant: args[0].value.constant }),
  ...(args[0]?.value.written === undefined ? {} : { written: args[0].value.written }),
});

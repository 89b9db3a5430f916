import { isTest, type SourceModule } from './modules.ts';

const protocolLibrary = /modelcontextprotocol|fastmcp|(?:^|[/.:])r?mcp(?:$|[/.:_-])/i;
const requiredLibrary = /\brequire\(\s*["'](?:@modelcontextprotocol\/|fastmcp\b|mcp-)/;

/** Whether a file imports a library of the protocol. */
export const speaksProtocol = ({ form, text }: SourceModule): boolean =>
  form.imports.some(({ module, path }) => protocolLibrary.test(path ?? module)) || requiredLibrary.test(text);

const newServer =
  /\bnew\s+(?:\w+\.)?(?:Mcp)?Server\(|\bFastMCP\(|\b(?:Mcp)?Server\(|\bNewMCPServer\(|\bmcp\.NewServer\(|\bMcpServer\.(?:sync|async)\(|\bServerHandler\b|\bcreateMcpServer\(/;

/** Whether a file makes a server of the protocol: a client, and what uses it in its tests, does not. */
export const makesServer = (module: SourceModule): boolean =>
  !isTest(module) && speaksProtocol(module) && newServer.test(module.text);

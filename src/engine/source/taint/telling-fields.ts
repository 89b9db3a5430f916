/** What an object has that may define a handler, a tool, a server, a worker, or the resolvers of a graph. */
export const tellingFields = [
  'description',
  'name',
  'path',
  'instructions',
  'Name',
  'Instructions',
  'fetch',
  'handle',
  'Query',
  'Mutation',
  'Subscription',
];

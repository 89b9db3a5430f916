/** The name of a policy in labelled rows: clients that read such rows need it too. */
export { labelId } from '#engine/text/label-ids.ts';

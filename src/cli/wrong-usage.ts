/** Options or arguments that do not go together: the message is printed as it is, with the exit code of wrong usage. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

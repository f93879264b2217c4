/** A command cannot do what it was asked; the message says what to do about it. Exit code 1, no stack. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/** The stack cannot start, or a command cannot be carried out; the message tells the user why. */
export class StackFailure extends Error {}

/** Why the stack cannot start, in one sentence for the person who started it. */
export class StackFailure extends Error {}

/** The stack cannot start; the message explains why to the user in one sentence. */
export class StackFailure extends Error {}

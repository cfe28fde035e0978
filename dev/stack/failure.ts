/** An expected failure; the message tells the user why. */
export class StackFailure extends Error {}

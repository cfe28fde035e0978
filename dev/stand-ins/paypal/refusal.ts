/** A call that cannot be carried out, with the name of the invalid field, if there is one. */
export class Refusal extends Error {
  constructor(
    readonly status: 400 | 402 | 403 | 404 | 409,
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

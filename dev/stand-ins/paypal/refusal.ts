/** Why a call cannot be carried out: a 4xx with a sentence, and the field at fault when it is one. */
export class Refusal extends Error {
  constructor(
    readonly status: 400 | 402 | 403 | 404 | 409,
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

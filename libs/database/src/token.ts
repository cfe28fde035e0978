import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** The hash that is stored instead of a token or other text. Tokens of 256 random bits need no salt and no slow hash. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

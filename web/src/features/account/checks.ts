import { looksLikeEmailAddress } from '../../lib/form.js';

// Reject only input that is certainly invalid. The messages are those of the specification.

export function checkEmail(value: string): string | undefined {
  if (!value.trim()) return 'Email is Required';
  return looksLikeEmailAddress(value) ? undefined : 'Provide a Valid Email';
}

export function checkNewPassword(value: string): string | undefined {
  if (!value) return 'Password is Required';
  return value.length < 6 ? 'Minimum 6 Characters' : undefined;
}

export const checkCurrentPassword = (value: string): string | undefined =>
  value ? undefined : 'Password is Required';

import { expect } from '@jest/globals';
import { act, fireEvent, screen } from '@testing-library/react';

/** Answers no call until `refuse` answers the last one. */
export function refuseLater(): { api(): Promise<Response>; refuse(detail: string): void } {
  let answer!: (response: Response) => void;
  return {
    api: () => new Promise((resolve) => (answer = resolve)),
    refuse: (detail) => answer(Response.json({ detail }, { status: 503 })),
  };
}

/** For a dialog that has just sent a change to the `api`: it cannot be closed with Escape or `closeButton` before the refusal, which it shows. */
export async function expectOpenUntilRefused(
  { refuse }: ReturnType<typeof refuseLater>,
  closeButton = 'Cancel',
): Promise<void> {
  const dialog = screen.getByRole<HTMLDialogElement>('dialog');
  expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(false);
  fireEvent.click(screen.getByText(closeButton));
  expect(dialog.open).toBe(true);
  await act(async () => refuse('Not changed.'));
  screen.getByText('Not changed.');
}

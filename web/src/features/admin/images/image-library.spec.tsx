/** @jest-environment ./web/dom-environment.mjs */
import { expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import type { Image } from '#libs/contracts';
import { openScreen } from '../../../workspace/open-screen.js';
import { ImageLibrary } from './ImageLibrary.js';

const image = (_id: string) => ({
  ...{ _id, name: `${_id}.png`, address: `/images/${_id}-160x90`, width: 160, height: 90 },
  ...{ alt: '', uses: [], version: 1 },
});

function open(
  choose: (chosen: Image) => void = () => undefined,
  details: (id: string) => Response | Promise<Response> = (id) => Response.json(image(id)),
) {
  openScreen(
    () => <ImageLibrary chosen="old" choose={choose} close={() => undefined} />,
    (call) =>
      call === 'GET /images'
        ? Response.json([image('new')], { headers: { 'x-total-count': '13' } })
        : details(call.split('/').at(-1)!),
  );
}

test('the picture that the field already has can be chosen again, even if it is on another page of the library', async () => {
  const choose = jest.fn<(chosen: Image) => void>();
  open(choose);
  const useButton = await screen.findByRole<HTMLButtonElement>('button', { name: 'Use this image' });
  await waitFor(() => expect(useButton.disabled).toBe(false));
  fireEvent.click(useButton);
  expect(choose.mock.calls).toEqual([[image('old')]]);
});

test('a listed picture can be used before its details have arrived, but not once the server says that it no longer exists', async () => {
  const answers: ((response: Response) => void)[] = [];
  open(undefined, () => new Promise((resolve) => answers.push(resolve)));
  const useButton = await screen.findByRole<HTMLButtonElement>('button', { name: 'Use this image' });
  fireEvent.click(await screen.findByRole('radio', { name: 'new.png' }));
  expect(useButton.disabled).toBe(false);
  await act(async () => answers.at(-1)!(Response.json({}, { status: 404 })));
  await screen.findByText('This image no longer exists.');
  expect(useButton.disabled).toBe(true);
});

test('a message that is shown again gets a new element, so that it is announced again', async () => {
  open();
  const saveDescription = async (alt: string) => {
    fireEvent.change(await screen.findByLabelText('Description'), { target: { value: alt } });
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Save description' })));
    return screen.findByText('Description is saved');
  };
  const first = await saveDescription('A team');
  expect(await saveDescription('A team at work')).not.toBe(first);
});

test('the keyboard stays at the description after it was saved', async () => {
  let alt = '';
  openScreen(
    () => <ImageLibrary chosen="old" choose={() => undefined} close={() => undefined} />,
    (call, body) => {
      if (call === 'GET /images') return Response.json([], { headers: { 'x-total-count': '0' } });
      if (call === 'PUT /images/old') ({ alt } = body as Image);
      return Response.json({ ...image('old'), alt });
    },
  );
  const description = await screen.findByLabelText('Description');
  fireEvent.change(description, { target: { value: 'A team' } });
  const button = screen.getByRole('button', { name: 'Save description' });
  button.focus();
  await act(async () => void fireEvent.click(button));
  expect(button.isConnected).toBe(false);
  await waitFor(() => expect(document.activeElement).toBe(description));
});

test('a description is also saved when the picture is used before it was saved', async () => {
  const saved: unknown[] = [];
  openScreen(
    () => {
      const [isOpen, setOpen] = useState(true);
      return isOpen && <ImageLibrary chosen="old" choose={() => setOpen(false)} close={() => undefined} />;
    },
    (call, body) => {
      if (call === 'GET /images') return Response.json([], { headers: { 'x-total-count': '0' } });
      if (call === 'PUT /images/old') saved.push(body);
      return Response.json(image('old'));
    },
  );
  fireEvent.change(await screen.findByLabelText('Description'), { target: { value: 'A team' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Use this image' })));
  expect(saved).toEqual([{ name: 'old.png', alt: 'A team' }]);
});

test('before a picture that content does not use is deleted, a warning says that campaigns may contain it', async () => {
  open();
  await screen.findByText(
    'Not used on the site. It may still be used in a campaign: campaigns aren’t checked.',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  screen.getByText(/Campaigns that contain it will no longer show it, including those already sent\.$/);
});

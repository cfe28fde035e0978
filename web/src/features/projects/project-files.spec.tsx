/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import type { ProjectFile } from '#libs/contracts';
import { openScreen } from '../../workspace/open-screen.js';
import { ProjectFiles } from './ProjectFiles.js';

const fileNamed = (name: string) =>
  ({
    ...{ _id: name, name, bytes: 1, state: 'ready', preview: 'none' },
    ...{ uploadedBy: 'Maya', createdAt: '2026-11-20T10:00:00.000Z' },
  }) as unknown as ProjectFile;

const files = {
  ...{ data: [fileNamed('audit.pdf'), fileNamed('links.csv')], total: undefined, problem: undefined },
  ...{ loading: false, retrying: false, reading: false, retry: () => {} },
};

test('the focus is not lost when the button that shows all files disappears', () => {
  openScreen(
    () => (
      <main id="main" tabIndex={-1}>
        <ProjectFiles files={files} initialCount={1} />
      </main>
    ),
    () => undefined,
  );
  const button = screen.getByRole('button', { name: 'Show all 2 files' });
  button.focus();
  fireEvent.click(button);
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  expect([button.isConnected, document.activeElement?.id]).toEqual([false, 'main']);
});

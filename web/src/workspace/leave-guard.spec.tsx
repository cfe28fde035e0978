/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
import { listenForBackButtonBeforeRouter } from '../lib/back-button.js';
import { useLeaveGuard } from './leave-guard.js';

function Editor({ unsaved }: { unsaved: boolean }) {
  const leaving = useLeaveGuard(unsaved);
  return (
    <>
      <h1>Editor</h1>
      <Link to="/list">List</Link>
      <Link to="/editor?tab=2">Tab 2</Link>
      <a href="https://elsewhere.example/">Elsewhere</a>
      <a href="/orders/export" download>
        Download
      </a>
      {leaving && (
        <div role="dialog">
          <button onClick={leaving.go}>Leave</button>
          <button onClick={leaving.stay}>Stay</button>
        </div>
      )}
    </>
  );
}

const click = (name: string, init = {}) =>
  act(async () => void fireEvent.click(screen.getByText(name), init));
const isAsked = () => screen.queryByRole('dialog') !== null;
const heading = () => screen.getAllByRole('heading')[0]!.textContent;

async function openEditor(editor: ReactNode) {
  window.history.replaceState({}, '', '/list');
  render(
    <BrowserRouter>
      <Routes>
        <Route
          path="/list"
          element={
            <>
              <h1>List</h1>
              <Link to="/editor">Edit</Link>
            </>
          }
        />
        <Route path="/editor" element={editor} />
      </Routes>
    </BrowserRouter>,
  );
  await click('Edit');
  expect(heading()).toBe('Editor');
}

beforeAll(listenForBackButtonBeforeRouter);
afterEach(cleanup);

describe('with unsaved changes', () => {
  beforeEach(() => openEditor(<Editor unsaved />));

  test('a link asks first; staying keeps the screen, leaving follows the link', async () => {
    await click('List');
    expect([isAsked(), heading()]).toEqual([true, 'Editor']);
    await click('Stay');
    expect([isAsked(), heading()]).toEqual([false, 'Editor']);
    await click('List');
    await click('Leave');
    expect([isAsked(), heading()]).toEqual([false, 'List']);
  });

  test('Back asks first, and the address stays that of the screen', async () => {
    act(() => window.history.back());
    await waitFor(() => expect(isAsked()).toBe(true));
    await waitFor(() => expect(window.location.pathname).toBe('/editor'));
    expect(heading()).toBe('Editor');
    await click('Leave');
    await waitFor(() => expect(heading()).toBe('List'));
  });

  test('closing the tab asks', () => {
    const closing = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(closing);
    expect(closing.defaultPrevented).toBe(true);
  });

  test('a link to a new tab of the browser, to another site, to a file, or to another part of the same screen does not ask', async () => {
    // jsdom cannot open tabs or other sites, and would log an error.
    const stop = (event: Event) => event.preventDefault();
    window.addEventListener('click', stop);
    await click('List', { ctrlKey: true });
    expect(isAsked()).toBe(false);
    // A link to another site leaves the document, so the browser itself asks.
    await click('Elsewhere');
    await click('Download');
    window.removeEventListener('click', stop);
    expect(isAsked()).toBe(false);
    await click('Tab 2');
    expect([isAsked(), window.location.search]).toEqual([false, '?tab=2']);
  });
});

test('without changes, leaving does not ask', async () => {
  await openEditor(<Editor unsaved={false} />);
  const closing = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(false);
  await click('List');
  expect([isAsked(), heading()]).toEqual([false, 'List']);
});

test('with two unsaved forms, Back asks once; after one of them is saved, Back still asks for the other', async () => {
  function TwoForms() {
    const [isSaved, setSaved] = useState(false);
    return (
      <>
        <Editor unsaved />
        <Editor unsaved={!isSaved} />
        <button onClick={() => setSaved(true)}>Save</button>
      </>
    );
  }
  await openEditor(<TwoForms />);
  for (const step of ['Stay', 'Save', 'Stay', 'Leave']) {
    if (step !== 'Save') {
      act(() => window.history.back());
      await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1));
      await waitFor(() => expect(window.location.pathname).toBe('/editor'));
    }
    await click(step);
  }
  await waitFor(() => expect(heading()).toBe('List'));
});

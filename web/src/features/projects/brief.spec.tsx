/** @jest-environment ./web/dom-environment.mjs */
import { expect, test } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { openScreen } from '../../workspace/open-screen.js';
import { Component } from './brief.route.js';

const id = '0199c0de-0000-7000-8000-000000000001';
const notFound = () => Response.json({ code: 'NOT_FOUND' }, { status: 404 });

test.each([
  ['exists', () => Response.json({ _id: id, title: 'SEO audit', number: 7 }), 'No questions'],
  ['does not exist', notFound, 'Project not found'],
])('whether a project without a brief %s is only said once that is known', async (_, answer, title) => {
  let settle!: (response: Response) => void;
  const project = new Promise<Response>((resolve) => (settle = resolve));
  const site = (call: string) =>
    call === `GET /project/${id}` ? project : call === `GET /project/${id}/brief` ? notFound() : undefined;
  openScreen(Component, site, { path: '/project/:id/brief', at: `/project/${id}/brief` });
  // Lets the answer about the brief arrive.
  await act(() => new Promise<void>((resolve) => void setTimeout(resolve)));
  expect(screen.queryByText(/No questions|Project not found/)).toBeNull();
  await act(async () => settle(answer()));
  await screen.findByText(title);
});

/** @jest-environment ./web/dom-environment.mjs */
import { beforeEach, expect, test } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { MailTemplateInfo } from '#libs/contracts';
import { openScreen } from '../../../workspace/open-screen.js';
import { Component } from './mail-text.route.js';

const id = '0190a5f4-5c1e-7000-8000-000000000001';
const template = {
  ...{ template: 'orderPaid', name: 'Order paid', sent: 'When an order is paid', switchedBy: 'nobody' },
  wording: { subject: 'Paid', text: 'Thanks', placeholders: [{ name: 'siteName', meaning: 'The name' }] },
} as unknown as MailTemplateInfo;
const record = { _id: id, mail: 'Order paid', send: 'Yes', subject: 'Paid', text: 'Thanks' };

beforeEach(() => {
  localStorage.clear();
  // jsdom lacks `matchMedia` and `execCommand`. If `execCommand` returns false, the placeholder is inserted by changing the value.
  globalThis.matchMedia = () => ({ matches: false }) as MediaQueryList;
  document.execCommand = () => false;
});

test('the draft of one mail template is not offered at another, even if neither template has a saved text', async () => {
  const templates = [template, { ...template, template: 'orderPlaced', name: 'Order placed' }];
  const openSubjectField = async (name: string) => {
    cleanup();
    openScreen(Component, (call) => (call === 'GET /mail-templates' ? Response.json(templates) : undefined), {
      path: '/setting/mailText/:id',
      at: `/setting/mailText/${name}`,
    });
    return screen.findByLabelText<HTMLInputElement>(/^Subject/);
  };
  fireEvent.change(await openSubjectField('orderPaid'), { target: { value: 'Well paid' } });
  await openSubjectField('orderPlaced');
  expect(screen.queryByText('Restore draft')).toBeNull();
  const subject = await openSubjectField('orderPaid');
  fireEvent.click(screen.getByText('Restore draft'));
  expect(subject.value).toBe('Well paid');
});

test('after a choice between two versions, a placeholder goes into the field that had the focus before', async () => {
  openScreen(
    Component,
    (call) => {
      if (call === 'GET /mail-templates') return Response.json([template]);
      if (call === 'GET /mail-texts') return Response.json([{ ...record, version: 1 }]);
      if (call.startsWith('PUT'))
        return Response.json({ current: { ...record, version: 2, subject: 'Received' } }, { status: 412 });
      return undefined;
    },
    { path: '/setting/mailText/:id', at: '/setting/mailText/orderPaid' },
  );
  const subject = () => screen.getByLabelText<HTMLInputElement>(/^Subject/);
  (await screen.findByLabelText(/^Subject/)).focus();
  fireEvent.change(subject(), { target: { value: 'Well paid' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  (await screen.findByRole('radio', { name: /^Yours/ })).focus();
  fireEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  fireEvent.click(screen.getByRole('button', { name: 'Insert {siteName}' }));
  expect(subject().value).toBe('Well paid{siteName}');
});

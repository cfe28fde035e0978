/** @jest-environment ./web/dom-environment.mjs */
import { afterEach, expect, test } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { Account, ProjectTemplate } from '#libs/contracts';
import { AccountContext } from '../../../workspace/current-screen.js';
import { Queries } from '../../../workspace/Queries.js';
import { useTemplateForm } from './template-form.js';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const account = { id: 'ada' } as Account;
const wrapper = ({ children }: { children: ReactNode }) => (
  <AccountContext value={account}>
    <Queries>{children}</Queries>
  </AccountContext>
);
const template = (version: number, changed: Partial<ProjectTemplate> = {}) =>
  ({
    ...{ _id: 'template-1', version, questions: [], checklist: ['Crawl'], deliveryDays: 10 },
    ...{ introduction: 'A few questions.', welcome: 'Welcome.', ...changed },
  }) as unknown as ProjectTemplate;
const open = (one: ProjectTemplate) => renderHook(() => useTemplateForm(one), { wrapper });

test('a restored draft keeps what somebody else has changed meanwhile in other parts', () => {
  const first = open(template(3));
  act(() => first.result.current.change({ welcome: 'Hello.' }));
  first.unmount();
  const { result } = open(template(4, { introduction: 'Three questions.', checklist: ['Crawl', 'Write'] }));
  act(() => result.current.draft!.restore());
  expect(result.current.values).toMatchObject({ welcome: 'Hello.', introduction: 'Three questions.' });
  expect(result.current.values.checklist).toHaveLength(2);
});

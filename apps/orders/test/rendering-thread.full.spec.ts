import { afterEach, expect, test } from '@jest/globals';
import { eventually, builtProgram } from '#libs/testing';
import { domestic, invoiceDocuments } from './invoice-documents.js';
import { pdfOf } from '../invoice-file/invoice-pdf.js';
import { xmlOf } from '../invoice-file/invoice-xml.js';
import { type RenderingOptions, RenderingThread } from '../invoice-file/rendering-thread.js';

let thread: RenderingThread;
afterEach(() => thread.stop());

const threadWith = (more: RenderingOptions = {}) =>
  (thread = new RenderingThread({
    ...builtProgram('invoice-renderer'),
    ...more,
  }));

test('the rendering thread renders the same bytes as the main thread, for several documents at the same time', async () => {
  const documents = Object.values(invoiceDocuments).slice(0, 3);
  threadWith();
  const pdfs = await Promise.all(documents.map((document) => thread.render(document)));
  for (const [index, document] of documents.entries())
    expect(pdfs[index]!.equals(await pdfOf(document, xmlOf(document)))).toBe(true);
});

test('the rendering thread refuses a document that breaks a rule of EN 16931, and renders the next', async () => {
  threadWith();
  await expect(thread.render({ ...domestic, grossCents: 1 })).rejects.toThrow('BR-CO-15');
  expect(await thread.render(domestic)).toBeInstanceOf(Buffer);
});

test('the rendering thread starts with the first document and ends after the last', async () => {
  threadWith({ idleMs: 10 });
  expect(thread.isRunning).toBe(false);
  const rendered = thread.render(domestic);
  expect(thread.isRunning).toBe(true);
  await rendered;
  await eventually(() => expect(thread.isRunning).toBe(false));
  expect(await thread.render(domestic)).toBeInstanceOf(Buffer);
});

test('a document that takes too long is rejected, and its thread ends', async () => {
  threadWith({ deadlineMs: 1 });
  await expect(thread.render(domestic)).rejects.toThrow('too long');
  expect(thread.isRunning).toBe(false);
});

test('a thread that cannot start rejects the document', async () => {
  threadWith({ program: '/nothing/here.js' });
  await expect(thread.render(domestic)).rejects.toThrow('here.js');
});

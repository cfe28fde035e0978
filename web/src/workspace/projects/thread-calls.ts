import type { StaffThreadEntry, ThreadEntry, ThreadMessage, ThreadNote } from '#libs/contracts';
import { type Answer, callApi } from '../../lib/api.js';
import { callWithQuery } from '../path.js';
import type { ThreadPart } from './thread-state.js';

export interface MessageBody {
  text: string;
  files: string[];
  /** The id of the message that it answers. */
  quote?: string;
}

export interface ThreadCalls<E> {
  /** `before` is the `seq` of an entry, `after` the number of a change. */
  read(range: { before?: number; after?: number }): Promise<Answer<ThreadPart<E>>>;
  /** The address of the live updates after the change with this number. */
  updatesUrl(after: number): string;
  markRead(seq: number): Promise<Answer<unknown>>;
  edit(entry: ThreadMessage | ThreadNote, text: string): Promise<Answer<E>>;
  remove(entry: ThreadMessage | ThreadNote): Promise<Answer<E>>;
}

export function customerThreadCalls(id: string): ThreadCalls<ThreadEntry> {
  return {
    read: (query) => callWithQuery('GET /project/:id/thread', { params: { id }, query }),
    updatesUrl: (after) => `/project/${id}/updates?after=${after}`,
    markRead: (seq) => callApi('POST /project/:id/read', { params: { id }, body: { seq } }),
    edit: ({ _id: message }, text) =>
      callApi('PUT /project/:id/messages/:message', { params: { id, message }, body: { text } }),
    remove: ({ _id: message }) =>
      callApi('DELETE /project/:id/messages/:message', { params: { id, message } }),
  };
}

export function staffThreadCalls(id: string): ThreadCalls<StaffThreadEntry> {
  return {
    read: (query) => callWithQuery('GET /staff-project/:id/thread', { params: { id }, query }),
    updatesUrl: (after) => `/staff-project/${id}/updates?after=${after}`,
    markRead: (seq) => callApi('POST /staff-project/:id/read', { params: { id }, body: { seq } }),
    edit: ({ kind, _id }, text) =>
      kind === 'note'
        ? callApi('PUT /staff-project/:id/notes/:note', { params: { id, note: _id }, body: { text } })
        : callApi('PUT /staff-project/:id/messages/:message', {
            params: { id, message: _id },
            body: { text },
          }),
    remove: ({ kind, _id }) =>
      kind === 'note'
        ? callApi('DELETE /staff-project/:id/notes/:note', { params: { id, note: _id } })
        : callApi('DELETE /staff-project/:id/messages/:message', { params: { id, message: _id } }),
  };
}

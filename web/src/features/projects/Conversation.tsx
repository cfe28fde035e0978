import { useState } from 'react';
import type { Deliverable, Project } from '#libs/contracts';
import { siteNameOf } from '#libs/content-model';
import { callApi } from '../../lib/api.js';
import { useSite } from '../../lib/site.js';
import { Empty } from '../../workspace/Empty.js';
import { Composer } from '../../workspace/projects/Composer.js';
import { DeliverableCard } from '../../workspace/projects/DeliverableCard.js';
import { useTextDraft } from '../../workspace/projects/text-draft.js';
import { useLiveThread } from '../../workspace/projects/live-thread.js';
import { Thread } from '../../workspace/projects/Thread.js';
import { customerThreadCalls } from '../../workspace/projects/thread-calls.js';
import { sendFileTo } from '../../workspace/projects/upload.js';

interface ConversationProps {
  project: Project;
  deliverables: readonly Deliverable[];
  /** Something has happened in the project. */
  onChanged(): void;
  /** Entries were marked as read. */
  onRead(): void;
}

export function Conversation({ project, deliverables, onChanged, onRead }: ConversationProps) {
  const { _id: id, step: nextStep } = project;
  const [calls] = useState(() => customerThreadCalls(id));
  const [sendFile] = useState(() => sendFileTo({ projectId: id, side: 'customer' }));
  const thread = useLiveThread(calls, { onChanged, onRead });
  const draft = useTextDraft('project', id);
  const siteName = siteNameOf(useSite()) ?? 'Our team';
  return (
    <Thread
      thread={thread}
      calls={calls}
      side="customer"
      otherSideLabel={siteName}
      // The next step is shown above the conversation.
      startsAtTop={nextStep !== null}
      quote={({ _id, by, text }) => draft.change({ quote: { _id, name: by.name, text: text.slice(0, 200) } })}
      eventDetails={({ what, deliverableId }) => {
        const deliverable = deliverables.find(({ _id }) => _id === deliverableId);
        if (what !== 'delivered' || !deliverable) return undefined;
        return <DeliverableCard deliverable={deliverable} isNewest={deliverable === deliverables[0]} />;
      }}
      empty={
        <Empty title="No messages yet">
          Ask anything about the work, or share files. Everyone in this project can read the conversation, and
          we answer here.
        </Empty>
      }
    >
      <Composer
        draft={draft}
        label="Your message"
        actionLabel="Send"
        sendFile={sendFile}
        send={async (body, idempotencyKey) => {
          const answer = await callApi('POST /project/:id/messages', {
            params: { id },
            body,
            idempotencyKey,
          });
          if (answer.ok) thread.show(answer.value);
          return answer;
        }}
      />
    </Thread>
  );
}

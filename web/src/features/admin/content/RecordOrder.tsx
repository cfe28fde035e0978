import { callApi, type Problem } from '../../../lib/api.js';
import { useRefresh } from '../../../lib/site.js';
import type { StoredRecord } from '../../../workspace/content-api.js';
import { MoveButton, type Direction } from '../../../workspace/MoveButton.js';
import { useSave } from '../../../workspace/query.js';
import { offerUndo } from '../../../workspace/undo.js';
import { nameOf, type Part } from '../screens.js';

export interface RecordOrder {
  problem: Problem | undefined;
  canMove(record: StoredRecord, step: Direction): boolean;
  move(record: StoredRecord, step: Direction): Promise<void>;
}

/** Moves a record by one place, in the order that visitors see. Each move can be undone. */
export function useRecordOrder(part: Part, records: readonly StoredRecord[]): RecordOrder {
  const refreshSite = useRefresh();

  /** `nextId` is the id of the record that follows, or `end` for the last place. */
  async function put(id: string, nextId: string): Promise<Problem | undefined> {
    const params = { section: part.section.name, id };
    const answer = await callApi('PUT /record-place/:section/:id', { params, body: { before: nextId } });
    if (!answer.ok) return answer.problem;
    refreshSite();
    return undefined;
  }

  const { save, saving, problem } = useSave(put);
  return {
    problem,
    canMove: (record, step) => records[records.indexOf(record) + step] !== undefined,
    async move(record, step) {
      if (saving) return;
      const at = records.indexOf(record);
      const nextId = records[step < 0 ? at - 1 : at + 2]?._id ?? 'end';
      const formerNextId = records[at + 1]?._id ?? 'end';
      if (await save(record._id, nextId))
        offerUndo(`‘${nameOf(part, record)}’ is now number ${at + step + 1} of ${records.length}`, () =>
          put(record._id, formerNextId),
        );
    },
  };
}

interface MoveButtonsProps {
  order: RecordOrder;
  part: Part;
  record: StoredRecord;
}

export function MoveButtons({ order, part, record }: MoveButtonsProps) {
  const name = nameOf(part, record);
  const button = (step: Direction) => (
    <MoveButton
      text={`Move ${name} ${step < 0 ? 'up' : 'down'}`}
      step={step}
      canMove={order.canMove(record, step)}
      move={() => void order.move(record, step)}
    />
  );
  return (
    <span className="record__moves">
      {button(-1)}
      {button(1)}
    </span>
  );
}

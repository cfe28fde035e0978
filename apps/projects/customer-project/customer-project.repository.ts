import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { HandlerInput, PageOf, projectContract } from '#libs/contracts';
import { boundedSearch, listPage, ListTotals } from '#libs/database';
import { openStates } from '../lifecycle/project-state.js';
import { filterByOrder, filterByText } from '../project/project-search.js';
import { ProjectEntity } from '../project/project.entity.js';

type Selection = HandlerInput<typeof projectContract.listProjects>;

export interface WaitingProject {
  id: string;
  title: string;
  number: number;
  state: 'waiting_for_brief' | 'delivered';
  unansweredQuestions: number;
  /** The text of the undecided deliverable. */
  deliverable: string | null;
}

const lastActiveFirst = { by: 'activeAt', kind: 'moment', direction: 'desc' } as const;
const maxWaitingProjects = 20;

@Injectable()
export class CustomerProjectRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly totals: ListTotals,
  ) {}

  list(ownerIds: readonly string[], selection: Selection): Promise<PageOf<ProjectEntity>> {
    return boundedSearch(this.dataSource, selection.search, async (manager) => {
      const query = select(manager, ownerIds, selection);
      const total = await this.totals.count(query);
      return { total, ...(await listPage(query, selection, lastActiveFirst)) };
    });
  }

  async count(
    ownerIds: readonly string[],
    readerId: string,
  ): Promise<{ projects: number; open: number; unread: number }> {
    const [row] = await this.dataSource.sql<[{ projects: number; open: number; unread: number }]>`
      SELECT count(*)::int AS projects, (count(*) FILTER (WHERE p.state = ANY (${openStates}::text[])))::int AS open,
        coalesce(sum(greatest(0, p.entries_for_customer - coalesce(r.read_entries, 0))), 0)::int AS unread
      FROM projects p
      LEFT JOIN readers r ON r.project_id = p.id AND r.account_id = ${readerId} AND r.side = 'customer'
      WHERE p.account_id = ANY (${ownerIds}::uuid[])`;
    return row;
  }

  /** Projects that wait for their customer; the longest waiting first. */
  async listWaiting(ownerIds: readonly string[]): Promise<WaitingProject[]> {
    const rows = await this.dataSource.sql<(Omit<WaitingProject, 'number'> & { number: string })[]>`
      SELECT p.id, p.title, p.number, p.state, coalesce(b.questions - b.answered, 0) AS "unansweredQuestions", d.text AS deliverable
      FROM projects p LEFT JOIN briefs b ON b.project_id = p.id
      LEFT JOIN deliverables d ON d.project_id = p.id AND d.state = 'delivered' AND p.state = 'delivered'
      WHERE p.account_id = ANY (${ownerIds}::uuid[]) AND p.state IN ('waiting_for_brief', 'delivered')
      ORDER BY p.state_since, p.id LIMIT ${maxWaitingProjects}`;
    return rows.map((row) => ({ ...row, number: Number(row.number) }));
  }
}

function select(manager: EntityManager, ownerIds: readonly string[], selection: Selection) {
  const { open, order, subscription } = selection;
  const query = manager.createQueryBuilder(ProjectEntity, 'p');
  // With a single owner, `=` lets Postgres use the index's sort order.
  if (ownerIds.length === 1) query.andWhere({ accountId: ownerIds[0]! });
  else query.andWhere('p.accountId = ANY (:ownerIds)', { ownerIds });
  if (open !== undefined)
    query.andWhere(`p.state ${open ? '= ANY' : '<> ALL'} (:openStates)`, { openStates });
  if (order !== undefined) filterByOrder(query, order);
  if (subscription !== undefined) query.andWhere({ subscriptionId: subscription });
  if (selection.search) filterByText(query, selection.search);
  return query;
}

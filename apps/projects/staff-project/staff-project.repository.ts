import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, In, type SelectQueryBuilder } from 'typeorm';
import {
  boardStates,
  type HandlerInput,
  maxProjectsPerBoardColumn,
  type Output,
  type PageOf,
  type projectContract,
  type ProjectState,
} from '#libs/contracts';
import { boundedSearch, type ListOrder, listPage, ListTotals } from '#libs/database';
import { dueStates, openStates } from '../lifecycle/project-state.js';
import { filterByOrder, filterByText } from '../project/project-search.js';
import { ProjectEntity } from '../project/project.entity.js';

type ListSelection = HandlerInput<typeof projectContract.listStaffProjects>;
type Filter = Omit<ListSelection, 'page' | 'limit' | 'cursor' | 'sort'>;
type Summary = Output<typeof projectContract.getStaffProjectSummary>;

/** `today` is a day in UTC. */
export interface Viewer {
  accountId: string;
  today: string;
}

export interface BoardColumn {
  state: ProjectState;
  total: number;
  projects: ProjectEntity[];
}

const sortings: Record<ListSelection['sort'], ListOrder<ProjectEntity>> = {
  active: { by: 'activeAt', kind: 'moment', direction: 'desc' },
  due: { by: 'dueSorted', kind: 'day', direction: 'asc' },
  created: { by: 'createdAt', kind: 'moment', direction: 'desc' },
};

const maxListedLabels = 100;

@Injectable()
export class StaffProjectRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly totals: ListTotals,
  ) {}

  list(selection: ListSelection, viewer: Viewer): Promise<PageOf<ProjectEntity>> {
    return boundedSearch(this.dataSource, selection.search, async (manager) => {
      const query = filteredProjects(manager, selection, viewer);
      const total = await this.totals.count(query);
      return { total, ...(await listPage(query, selection, sortings[selection.sort])) };
    });
  }

  /** Open projects by state, sorted by due date, at most `maxProjectsPerBoardColumn` in a column. */
  board(filter: Filter, viewer: Viewer): Promise<BoardColumn[]> {
    return boundedSearch(this.dataSource, filter.search, async (manager) => {
      const rows = await filteredProjects(manager, { ...filter, open: true }, viewer)
        .select(['p.id AS id', 'p.state AS state'])
        .addSelect('(count(*) OVER (PARTITION BY p.state))::int', 'total')
        .addSelect('(row_number() OVER (PARTITION BY p.state ORDER BY p.dueSorted, p.id))::int', 'place')
        .getRawMany<{ id: string; state: ProjectState; total: number; place: number }>();
      const shownRows = rows.filter(({ place }) => place <= maxProjectsPerBoardColumn);
      const found = await manager.findBy(ProjectEntity, { id: In(shownRows.map(({ id }) => id)) });
      const byId = new Map(found.map((project) => [project.id, project]));
      return boardStates.map((state) => {
        const column = shownRows.filter((one) => one.state === state).sort((a, b) => a.place - b.place);
        const projects = column.flatMap(({ id }) => byId.get(id) ?? []);
        return { state, total: column[0]?.total ?? 0, projects };
      });
    });
  }

  async summary({ accountId, today }: Viewer): Promise<Summary> {
    const [counts] = await this.dataSource.sql<[Omit<Summary, 'labels'>]>`
      SELECT
        (count(*) FILTER (WHERE p.is_open))::int AS open,
        (count(*) FILTER (WHERE p.is_open AND p.is_mine))::int AS mine,
        (count(*) FILTER (WHERE p.is_open AND p.is_unassigned))::int AS unassigned,
        (count(*) FILTER (WHERE p.due_on < ${today}::date AND p.state = ANY (${dueStates}::text[])))::int AS overdue,
        coalesce(sum(greatest(0, p.entries_for_staff - coalesce(r.read_entries, 0)))
          FILTER (WHERE p.is_mine OR p.is_unassigned), 0)::int AS unread
      FROM (
        SELECT id, state, due_on, entries_for_staff, state = ANY (${openStates}::text[]) AS is_open,
          id IN (SELECT project_id FROM project_assignees WHERE account_id = ${accountId}) AS is_mine,
          id NOT IN (SELECT project_id FROM project_assignees) AS is_unassigned
        FROM projects) p
      LEFT JOIN readers r ON r.project_id = p.id AND r.account_id = ${accountId} AND r.side = 'staff'`;
    const labels = await this.dataSource.sql<{ label: string }[]>`
      SELECT DISTINCT unnest(labels) AS label FROM projects WHERE labels <> '{}' ORDER BY label LIMIT ${maxListedLabels}`;
    return { ...counts, labels: labels.map(({ label }) => label) };
  }
}

function filteredProjects(
  manager: EntityManager,
  filter: Filter,
  { accountId, today }: Viewer,
): SelectQueryBuilder<ProjectEntity> {
  const { state, open, assignee, label, overdue, customer, order, subscription } = filter;
  const query = manager.createQueryBuilder(ProjectEntity, 'p');
  if (state !== undefined) query.andWhere({ state });
  if (open !== undefined)
    query.andWhere(`p.state ${open ? '= ANY' : '<> ALL'} (:openStates)`, { openStates });
  if (assignee === 'nobody') query.andWhere('p.id NOT IN (SELECT a.project_id FROM project_assignees a)');
  else if (assignee !== undefined)
    query.andWhere('p.id IN (SELECT a.project_id FROM project_assignees a WHERE a.account_id = :assignee)', {
      assignee: assignee === 'me' ? accountId : assignee,
    });
  if (label !== undefined) query.andWhere('p.labels @> ARRAY[:label]::text[]', { label });
  if (overdue !== undefined) {
    const isOverdue = 'coalesce(p.dueOn < :today, false) AND p.state = ANY (:dueStates)';
    query.andWhere(overdue ? isOverdue : `NOT (${isOverdue})`, { today, dueStates });
  }
  if (customer !== undefined) query.andWhere({ accountId: customer });
  if (order !== undefined) filterByOrder(query, order);
  if (subscription !== undefined) query.andWhere({ subscriptionId: subscription });
  if (filter.search) filterByText(query, filter.search);
  return query;
}

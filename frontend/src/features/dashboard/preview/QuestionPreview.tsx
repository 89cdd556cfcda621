import { Suspense } from "react";
import type { StudyQuestion, StudyQuestionPage } from "@/api/contract";
import { ExternalLink } from "@/components/ExternalLink";
import { Notice } from "@/components/Notice";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { findStudyKind } from "@/study-kinds/registry";
import { questionPlace } from "../questions/labels";
import styles from "./Preview.module.css";

/** A question before anybody answered it. Nothing can be changed here. */
export function QuestionPreview({ study, question }: { study: StudyQuestionPage["study"]; question: StudyQuestion }) {
  const { item, initial } = question;
  const kind = findStudyKind(study.kind);
  return (
    <article className={styles.question} aria-labelledby="previewed-question">
      <p className={styles.about}>
        {item.category && <Tag>{item.category}</Tag>}
        <span>{questionPlace(question)}</span>
      </p>
      <h3 id="previewed-question" className={styles.text}>{item.text}</h3>
      {item.resources.length > 0 && (
        <p className={styles.lookUp}>
          <span>Look up</span>
          {item.resources.map(({ name, link }, at) => <ExternalLink key={at} href={link}>{name}</ExternalLink>)}
        </p>
      )}
      {kind ? (
        <Suspense fallback={<SkeletonRows rows={4} height={56} />}>
          <kind.ReadOnlyView item={item} answer={initial} isDemo={study.is_demo} />
        </Suspense>
      ) : <Notice tone="warn">This version of the page cannot show this kind of study. Reload the page.</Notice>}
    </article>
  );
}

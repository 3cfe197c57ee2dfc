;; How the trees look at a page's rows, four at a time. Compiled into `walk-code.ts` by `npm run gen:walk`; `walk.ts` calls it.
;;
;; A question of a tree takes 16 bytes: which number it is about (i32), the edge (f32), and two sets of the tree's leaves, a bit each (i32):
;; those that are left for a row whose number is at most the edge, and for all other rows. Questions stand in preorder, leaves from the first
;; child on. A row starts with all leaves; each question takes those away that it cannot come to, and the first that is left is the row's own
;; (QuickScorer: Lucchese et al., SIGIR 2015).
(module
  (memory (export "memory") 1)

  ;; Writes the least and the most of each of $count columns, two f32 side by side, to $bounds. No column may be empty.
  (func (export "measure") (param $columns i32) (param $rows i32) (param $count i32) (param $bounds i32)
    (local $end i32) (local $least f32) (local $most f32) (local $leasts v128) (local $mosts v128) (local $four v128)
    (loop $column
      (local.set $end (i32.add (local.get $columns) (i32.shl (local.get $rows) (i32.const 2))))
      (local.set $leasts (v128.load32_splat (local.get $columns)))
      (local.set $mosts (local.get $leasts))
      (loop $fours
        (if (i32.le_u (i32.add (local.get $columns) (i32.const 16)) (local.get $end))
          (then
            (local.set $four (v128.load (local.get $columns)))
            (local.set $leasts (f32x4.min (local.get $leasts) (local.get $four)))
            (local.set $mosts (f32x4.max (local.get $mosts) (local.get $four)))
            (local.set $columns (i32.add (local.get $columns) (i32.const 16)))
            (br $fours))))
      (local.set $least (f32.min
        (f32.min (f32x4.extract_lane 0 (local.get $leasts)) (f32x4.extract_lane 1 (local.get $leasts)))
        (f32.min (f32x4.extract_lane 2 (local.get $leasts)) (f32x4.extract_lane 3 (local.get $leasts)))))
      (local.set $most (f32.max
        (f32.max (f32x4.extract_lane 0 (local.get $mosts)) (f32x4.extract_lane 1 (local.get $mosts)))
        (f32.max (f32x4.extract_lane 2 (local.get $mosts)) (f32x4.extract_lane 3 (local.get $mosts)))))
      (loop $rest
        (if (i32.lt_u (local.get $columns) (local.get $end))
          (then
            (local.set $least (f32.min (local.get $least) (f32.load (local.get $columns))))
            (local.set $most (f32.max (local.get $most) (f32.load (local.get $columns))))
            (local.set $columns (i32.add (local.get $columns) (i32.const 4)))
            (br $rest))))
      (f32.store (local.get $bounds) (local.get $least))
      (f32.store offset=4 (local.get $bounds) (local.get $most))
      (local.set $bounds (i32.add (local.get $bounds) (i32.const 8)))
      (br_if $column (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; Adds to the sum (f64) of each row the leaf (f32) that a tree leads it to. There is at least one row. The last four of $states and of a
  ;; column may reach beyond the last row.
  (func (export "walk") (param $question i32) (param $last i32) (param $leaves i32) (param $columns i32) (param $rows i32) (param $bounds i32) (param $states i32) (param $sums i32)
    (local $live i32) (local $low i32) (local $high i32) (local $edge f32) (local $end i32) (local $state i32) (local $bound i32) (local $number i32)
    (local $edges v128) (local $lows v128) (local $highs v128)
    ;; The leaves that some row of this page can come to.
    (local.set $live (i32.const -1))
    (local.set $end (i32.add (local.get $states) (i32.shl (local.get $rows) (i32.const 2))))
    (memory.fill (local.get $states) (i32.const 255) (i32.and (i32.shl (i32.add (local.get $rows) (i32.const 3)) (i32.const 2)) (i32.const -16)))
    (loop $questions
      (if (i32.lt_u (local.get $question) (local.get $last))
        (then
          (block $answered
            ;; Nothing to part where one of its sides is out of reach.
            (local.set $low (i32.load offset=8 (local.get $question)))
            (local.set $high (i32.load offset=12 (local.get $question)))
            (br_if $answered (i32.eq (i32.and (local.get $live) (local.get $low)) (local.get $live)))
            (br_if $answered (i32.eq (i32.and (local.get $live) (local.get $high)) (local.get $live)))
            (local.set $edge (f32.load offset=4 (local.get $question)))
            (local.set $bound (i32.add (local.get $bounds) (i32.shl (i32.load (local.get $question)) (i32.const 3))))
            ;; Most questions have one answer for all of a page.
            (if (f32.le (f32.load offset=4 (local.get $bound)) (local.get $edge))
              (then
                (local.set $live (i32.and (local.get $live) (local.get $low)))
                (br $answered)))
            (if (f32.gt (f32.load (local.get $bound)) (local.get $edge))
              (then
                (local.set $live (i32.and (local.get $live) (local.get $high)))
                (br $answered)))
            (local.set $number (i32.add (local.get $columns) (i32.shl (i32.mul (i32.load (local.get $question)) (local.get $rows)) (i32.const 2))))
            (local.set $edges (f32x4.splat (local.get $edge)))
            (local.set $lows (i32x4.splat (local.get $low)))
            (local.set $highs (i32x4.splat (local.get $high)))
            (local.set $state (local.get $states))
            (loop $fours
              (v128.store (local.get $state) (v128.and
                (v128.load (local.get $state))
                (v128.bitselect (local.get $lows) (local.get $highs) (f32x4.le (v128.load (local.get $number)) (local.get $edges)))))
              (local.set $number (i32.add (local.get $number) (i32.const 16)))
              (br_if $fours (i32.lt_u (local.tee $state (i32.add (local.get $state) (i32.const 16))) (local.get $end)))))
          (local.set $question (i32.add (local.get $question) (i32.const 16)))
          (br $questions))))
    (local.set $state (local.get $states))
    (loop $row
      (f64.store (local.get $sums) (f64.add
        (f64.load (local.get $sums))
        (f64.promote_f32 (f32.load (i32.add
          (local.get $leaves)
          (i32.shl (i32.ctz (i32.and (local.get $live) (i32.load (local.get $state)))) (i32.const 2)))))))
      (local.set $sums (i32.add (local.get $sums) (i32.const 8)))
      (br_if $row (i32.lt_u (local.tee $state (i32.add (local.get $state) (i32.const 4))) (local.get $end))))))

! Fortran writes to a pipe and reads it again (include/tern/stream.f90). Prints TAP.
program test_stream
    use, intrinsic :: iso_c_binding
    use tern_stream
    implicit none
    interface
        integer(c_int) function c_pipe(fds) bind(C, name="pipe")
            import
            integer(c_int), intent(out) :: fds(2)
        end function
        integer(c_int) function c_close(fd) bind(C, name="close")
            import
            integer(c_int), value :: fd
        end function
    end interface
    type(tern_writer) :: w
    type(tern_reader) :: r
    integer(c_int) :: fds(2), err
    integer(c_int32_t) :: i, n
    integer(c_int8_t) :: small
    real(c_double) :: points(3, 100), back(3, 100)
    character(len=8) :: name
    logical :: good

    do i = 1, 100
        points(:, i) = [1.0d0*i, -0.5d0*i, 0.25d0*i]
    end do
    good = c_pipe(fds) == 0
    good = tern_writer_fd(w, fds(2), 0_c_size_t) == 0 .and. good
    call tern_put(w, -3_c_int8_t)
    call tern_put(w, 100_c_int32_t)
    call tern_put_str(w, "mesh")
    call tern_put_f64s(w, points, size(points, kind=c_size_t))
    good = tern_writer_flush(w) == 0 .and. good
    good = tern_writer_fini(w) == 0 .and. good
    err = c_close(fds(2))
    call report(good, 1, "fortran_writer__puts")

    good = tern_reader_fd(r, fds(1), 64_c_size_t) == 0
    call tern_get(r, small)
    call tern_get(r, n)
    call tern_get_str(r, name)
    call tern_get_f64s(r, back, size(back, kind=c_size_t))
    good = good .and. small == -3 .and. n == 100 .and. name == "mesh    " .and. all(abs(back - points) <= 0)
    good = tern_reader_error(r) == 0 .and. good
    call report(good, 2, "fortran_reader__gets_the_same")

    call tern_get(r, n)
    good = tern_reader_error(r) == -7
    good = tern_reader_fini(r) == -7 .and. good
    call report(good, 3, "fortran_reader__end_is_an_error")
    print '(a)', "1..3"

contains

    subroutine report(passed, number, what)
        logical, intent(in) :: passed
        integer, intent(in) :: number
        character(len=*), intent(in) :: what
        print '(a, i0, a, a)', merge("ok     ", "not ok ", passed), number, " - ", what
    end subroutine
end program

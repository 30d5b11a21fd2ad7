! Streams (tern/stream.h) for Fortran 2008: compile this file with your program and link libtern.
!
!     use tern_stream
!     type(tern_writer) :: w
!     if (tern_writer_fd(w, fd, 0_c_size_t) /= 0) ...
!     call tern_put(w, n)
!     call tern_put_f64s(w, points, size(points, kind=c_size_t))
!     if (tern_writer_fini(w) /= 0) ...
!
! Arrays must be contiguous. Numbers are signed; a reader in C may call them what it likes. Errors stick and come with
! _fini; their numbers are those of tern/err.h. Objects must not be copied.
module tern_stream
    use, intrinsic :: iso_c_binding
    implicit none
    private
    public :: tern_writer, tern_reader, tern_put, tern_get, tern_put_str, tern_get_str
    public :: tern_put_i8s, tern_get_i8s
    public :: tern_put_i16s, tern_get_i16s
    public :: tern_put_i32s, tern_get_i32s
    public :: tern_put_i64s, tern_get_i64s
    public :: tern_put_f32s, tern_get_f32s
    public :: tern_put_f64s, tern_get_f64s
    public :: tern_writer_fd, tern_writer_flush, tern_writer_fini, tern_reader_fd, tern_reader_fini, tern_reader_error

    type, bind(C) :: tern_writer
        integer(c_int64_t) :: storage(24)
    end type

    type, bind(C) :: tern_reader
        integer(c_int64_t) :: storage(24)
    end type

    interface
        ! To and from a file descriptor, through a buffer of so many bytes (0: 64 KB). 0 or an error.
        integer(c_int) function tern_writer_fd(w, fd, buffer_bytes) bind(C, name="tern_f_writer_fd")
            import
            type(tern_writer), intent(out) :: w
            integer(c_int), value :: fd
            integer(c_size_t), value :: buffer_bytes
        end function
        integer(c_int) function tern_reader_fd(r, fd, buffer_bytes) bind(C, name="tern_f_reader_fd")
            import
            type(tern_reader), intent(out) :: r
            integer(c_int), value :: fd
            integer(c_size_t), value :: buffer_bytes
        end function
        integer(c_int) function tern_writer_flush(w) bind(C, name="tern_writer_flush")
            import
            type(tern_writer), intent(inout) :: w
        end function
        integer(c_int) function tern_writer_fini(w) bind(C, name="tern_writer_fini")
            import
            type(tern_writer), intent(inout) :: w
        end function
        integer(c_int) function tern_reader_fini(r) bind(C, name="tern_reader_fini")
            import
            type(tern_reader), intent(inout) :: r
        end function
        integer(c_int) function tern_reader_error(r) bind(C, name="tern_f_reader_error")
            import
            type(tern_reader), intent(in) :: r
        end function
        subroutine put_chars(w, s, length) bind(C, name="tern_f_put_str")
            import
            type(tern_writer), intent(inout) :: w
            character(kind=c_char), intent(in) :: s(*)
            integer(c_size_t), value :: length
        end subroutine
        subroutine get_chars(r, s, length) bind(C, name="tern_f_get_str")
            import
            type(tern_reader), intent(inout) :: r
            character(kind=c_char), intent(out) :: s(*)
            integer(c_size_t), value :: length
        end subroutine
    end interface

    ! n numbers of an array of any shape.
    interface
        subroutine tern_put_i8s(w, v, n) bind(C, name="tern_f_put_i8s")
            import
            type(tern_writer), intent(inout) :: w
            integer(c_int8_t), intent(in) :: v(*)
            integer(c_size_t), value :: n
        end subroutine
        subroutine tern_get_i8s(r, v, n) bind(C, name="tern_f_get_i8s")
            import
            type(tern_reader), intent(inout) :: r
            integer(c_int8_t), intent(out) :: v(*)
            integer(c_size_t), value :: n
        end subroutine
        subroutine tern_put_i16s(w, v, n) bind(C, name="tern_f_put_i16s")
            import
            type(tern_writer), intent(inout) :: w
            integer(c_int16_t), intent(in) :: v(*)
            integer(c_size_t), value :: n
        end subroutine
        subroutine tern_get_i16s(r, v, n) bind(C, name="tern_f_get_i16s")
            import
            type(tern_reader), intent(inout) :: r
            integer(c_int16_t), intent(out) :: v(*)
            integer(c_size_t), value :: n
        end subroutine
        subroutine tern_put_i32s(w, v, n) bind(C, name="tern_f_put_i32s")
            import
            type(tern_writer), intent(inout) :: w
            integer(c_int32_t), intent(in) :: v(*)
            integer(c_size_t), value :: n
        end subroutine
        subroutine tern_get_i32s(r, v, n) bind(C, name="tern_f_get_i32s")
            import
            type(tern_reader), intent(inout) :: r
            integer(c_int32_t), intent(out) :: v(*)
            integer(c_size_t), value :: n
        end subroutine
        subroutine tern_put_i64s(w, v, n) bind(C, name="tern_f_put_i64s")
            import
            type(tern_writer), intent(inout) :: w
            integer(c_int64_t), intent(in) :: v(*)
            integer(c_size_t), value :: n
        end subroutine
        subroutine tern_get_i64s(r, v, n) bind(C, name="tern_f_get_i64s")
            import
            type(tern_reader), intent(inout) :: r
            integer(c_int64_t), intent(out) :: v(*)
            integer(c_size_t), value :: n
        end subroutine
        subroutine tern_put_f32s(w, v, n) bind(C, name="tern_f_put_f32s")
            import
            type(tern_writer), intent(inout) :: w
            real(c_float), intent(in) :: v(*)
            integer(c_size_t), value :: n
        end subroutine
        subroutine tern_get_f32s(r, v, n) bind(C, name="tern_f_get_f32s")
            import
            type(tern_reader), intent(inout) :: r
            real(c_float), intent(out) :: v(*)
            integer(c_size_t), value :: n
        end subroutine
        subroutine tern_put_f64s(w, v, n) bind(C, name="tern_f_put_f64s")
            import
            type(tern_writer), intent(inout) :: w
            real(c_double), intent(in) :: v(*)
            integer(c_size_t), value :: n
        end subroutine
        subroutine tern_get_f64s(r, v, n) bind(C, name="tern_f_get_f64s")
            import
            type(tern_reader), intent(inout) :: r
            real(c_double), intent(out) :: v(*)
            integer(c_size_t), value :: n
        end subroutine
    end interface

    ! One number of any kind.
    interface tern_put
        subroutine put_i8(w, v) bind(C, name="tern_f_put_i8")
            import
            type(tern_writer), intent(inout) :: w
            integer(c_int8_t), value :: v
        end subroutine
        subroutine put_i16(w, v) bind(C, name="tern_f_put_i16")
            import
            type(tern_writer), intent(inout) :: w
            integer(c_int16_t), value :: v
        end subroutine
        subroutine put_i32(w, v) bind(C, name="tern_f_put_i32")
            import
            type(tern_writer), intent(inout) :: w
            integer(c_int32_t), value :: v
        end subroutine
        subroutine put_i64(w, v) bind(C, name="tern_f_put_i64")
            import
            type(tern_writer), intent(inout) :: w
            integer(c_int64_t), value :: v
        end subroutine
        subroutine put_f32(w, v) bind(C, name="tern_f_put_f32")
            import
            type(tern_writer), intent(inout) :: w
            real(c_float), value :: v
        end subroutine
        subroutine put_f64(w, v) bind(C, name="tern_f_put_f64")
            import
            type(tern_writer), intent(inout) :: w
            real(c_double), value :: v
        end subroutine
    end interface

    interface
        integer(c_int8_t) function one_i8(r) bind(C, name="tern_f_get_i8")
            import
            type(tern_reader), intent(inout) :: r
        end function
        integer(c_int16_t) function one_i16(r) bind(C, name="tern_f_get_i16")
            import
            type(tern_reader), intent(inout) :: r
        end function
        integer(c_int32_t) function one_i32(r) bind(C, name="tern_f_get_i32")
            import
            type(tern_reader), intent(inout) :: r
        end function
        integer(c_int64_t) function one_i64(r) bind(C, name="tern_f_get_i64")
            import
            type(tern_reader), intent(inout) :: r
        end function
        real(c_float) function one_f32(r) bind(C, name="tern_f_get_f32")
            import
            type(tern_reader), intent(inout) :: r
        end function
        real(c_double) function one_f64(r) bind(C, name="tern_f_get_f64")
            import
            type(tern_reader), intent(inout) :: r
        end function
    end interface

    interface tern_get
        module procedure get_i8
        module procedure get_i16
        module procedure get_i32
        module procedure get_i64
        module procedure get_f32
        module procedure get_f64
    end interface

contains

    subroutine tern_put_str(w, s)
        type(tern_writer), intent(inout) :: w
        character(len=*), intent(in) :: s
        call put_chars(w, s, len(s, kind=c_size_t))
    end subroutine

    ! Padded with blanks; what is longer is cut.
    subroutine tern_get_str(r, s)
        type(tern_reader), intent(inout) :: r
        character(len=*), intent(out) :: s
        call get_chars(r, s, len(s, kind=c_size_t))
    end subroutine

    subroutine get_i8(r, v)
        type(tern_reader), intent(inout) :: r
        integer(c_int8_t), intent(out) :: v
        v = one_i8(r)
    end subroutine

    subroutine get_i16(r, v)
        type(tern_reader), intent(inout) :: r
        integer(c_int16_t), intent(out) :: v
        v = one_i16(r)
    end subroutine

    subroutine get_i32(r, v)
        type(tern_reader), intent(inout) :: r
        integer(c_int32_t), intent(out) :: v
        v = one_i32(r)
    end subroutine

    subroutine get_i64(r, v)
        type(tern_reader), intent(inout) :: r
        integer(c_int64_t), intent(out) :: v
        v = one_i64(r)
    end subroutine

    subroutine get_f32(r, v)
        type(tern_reader), intent(inout) :: r
        real(c_float), intent(out) :: v
        v = one_f32(r)
    end subroutine

    subroutine get_f64(r, v)
        type(tern_reader), intent(inout) :: r
        real(c_double), intent(out) :: v
        v = one_f64(r)
    end subroutine
end module tern_stream
